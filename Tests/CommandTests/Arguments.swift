import ShoalAdminAPI

@testable import shoal

/// The arguments of `type`, as after `shoal COMMAND` on a command line.
func arguments(
    _ type: any Subcommand.Type, _ words: [String], environment: [String: String] = [:]
) throws(UsageError) -> ParsedArguments {
    try ArgumentParser(command: type.declaration, environment: environment).parse(words)
}
