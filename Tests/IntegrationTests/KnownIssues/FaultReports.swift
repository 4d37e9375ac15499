/// Public reports of people who wanted faults for their tests, or met flaws in the tools that make them. Each has a row on
/// `docs/known-issues.md`; those of one entry are about one thing.
enum FaultReports {
    static let all: [[String]] = [
        ["Shopify/toxiproxy#404"], ["Shopify/toxiproxy#50"], ["Shopify/toxiproxy#518"], ["Shopify/toxiproxy#148"],
        ["Shopify/toxiproxy#603"], ["Shopify/toxiproxy#195"], ["mountebank-testing/mountebank#918"],
        ["wiremock/WireMock.Net#1013"], ["wiremock/WireMock.Net#480"], ["wiremock/wiremock#456"],
        ["wiremock/wiremock#498"], ["wiremock/wiremock#943"], ["wiremock/wiremock#574"],
        ["mock-server/mockserver-monorepo#155"], ["mock-server/mockserver-monorepo#129"], ["httpmock/httpmock#199"],
        ["gabrielfalcao/HTTPretty#483"], ["johannesboyne/gofakes3#111"], ["getmoto/moto#346"], ["jamhall/s3rver#231"],
        ["scylladb/scylladb#20613"], ["localstack/localstack#2493"], ["BlackbirdWorks/gopherstack#329"],
        ["square/okhttp#1755"], ["square/okhttp#5054"], ["square/okhttp#4963"],
        ["envoyproxy/envoy#9178", "envoyproxy/envoy#11707"], ["tikv/fail-rs#24", "tikv/fail-rs#80"],
        ["aws/aws-sdk-java#538"], ["transloadit/uppy#1724"], ["aws-amplify/aws-sdk-ios#5456"],
        ["Vydia/react-native-background-upload#85"], ["nodejs/node#54366"], ["tus/tusd#1371"], ["tus/tusd#1364"],
        ["chimera-nas/chimera#489"], ["apple/foundationdb#14027"], ["swiftlang/swift-corelibs-foundation#5285"],
        ["minio/minio#15864"], ["asimihsan/localstack-chaos-repro"],
    ]
}
