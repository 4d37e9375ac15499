/// What can be asked of the admin API: one case for each method of each path.
///
/// A case is called as its `operationId` in `docs/openapi.json`, which describes every one of them.
package enum AdminRoute: String, CaseIterable, Sendable {
    case readHealth = "GET /_shoal/health"
    case describeAPI = "GET /_shoal/v1/openapi.json"
    case listPoints = "GET /_shoal/v1/points"
    case listActions = "GET /_shoal/v1/actions"
    case listChecks = "GET /_shoal/v1/checks"
    case listPresets = "GET /_shoal/v1/presets"
    case showPreset = "GET /_shoal/v1/presets/{preset}"
    case readAuthority = "GET /_shoal/v1/ca.pem"
    case explainRequest = "POST /_shoal/v1/explain"
    case resetServer = "POST /_shoal/v1/reset"

    case listScopes = "GET /_shoal/v1/scopes"
    case createScope = "POST /_shoal/v1/scopes"
    case showScope = "GET /_shoal/v1/scopes/{scope}"
    case deleteScope = "DELETE /_shoal/v1/scopes/{scope}"

    case resetScope = "POST /_shoal/v1/scopes/{scope}/reset"
    case mintURL = "POST /_shoal/v1/scopes/{scope}/urls"
    case makeCredentials = "POST /_shoal/v1/scopes/{scope}/credentials"
    case listRules = "GET /_shoal/v1/scopes/{scope}/rules"
    case addRules = "POST /_shoal/v1/scopes/{scope}/rules"
    case replaceRules = "PUT /_shoal/v1/scopes/{scope}/rules"
    case clearRules = "DELETE /_shoal/v1/scopes/{scope}/rules"
    case showRule = "GET /_shoal/v1/scopes/{scope}/rules/{rule}"
    case changeRule = "PATCH /_shoal/v1/scopes/{scope}/rules/{rule}"
    case removeRule = "DELETE /_shoal/v1/scopes/{scope}/rules/{rule}"
    case readSchedule = "GET /_shoal/v1/scopes/{scope}/schedule"
    case applyPreset = "POST /_shoal/v1/scopes/{scope}/presets/{preset}"
    case releaseGate = "POST /_shoal/v1/scopes/{scope}/gates/{gate}/release"
    case readClock = "GET /_shoal/v1/scopes/{scope}/clock"
    case changeClock = "PUT /_shoal/v1/scopes/{scope}/clock"
    case runLifecycle = "POST /_shoal/v1/scopes/{scope}/lifecycle"
    case listObjects = "GET /_shoal/v1/scopes/{scope}/objects"
    case listUploads = "GET /_shoal/v1/scopes/{scope}/uploads"
    case listNotifications = "GET /_shoal/v1/scopes/{scope}/notifications"
    case readJournal = "GET /_shoal/v1/scopes/{scope}/journal"
    case followJournal = "GET /_shoal/v1/scopes/{scope}/journal/stream"
    case addNote = "POST /_shoal/v1/scopes/{scope}/notes"
    case listOperations = "GET /_shoal/v1/scopes/{scope}/operations"
    case showOperation = "GET /_shoal/v1/scopes/{scope}/operations/{operation}"
    case verify = "POST /_shoal/v1/scopes/{scope}/verify"
    case wait = "POST /_shoal/v1/scopes/{scope}/wait"
    case listNearMisses = "GET /_shoal/v1/scopes/{scope}/near-misses"

    package var method: String { String(rawValue.prefix { $0 != " " }) }

    /// With names in braces where a request has a value.
    package var path: String { String(rawValue.drop { $0 != " " }.dropFirst()) }

    /// The route of a request and what it has in place of the names in braces, in order: of what belongs to a scope the
    /// scope comes first. `segments` are those after `/_shoal/`, decoded. Nil for what is not part of the admin API.
    static func find(_ method: String, _ segments: [String]) -> (route: AdminRoute, values: [String])? {
        for template in templates {
            guard template.method == method, let values = template.values(in: segments) else { continue }
            return (template.route, values)
        }
        return nil
    }

    private static let templates = allCases.map(Template.init)

    private struct Template {
        let route: AdminRoute
        let method: String
        /// After `/_shoal/`.
        private let segments: [Substring]

        init(_ route: AdminRoute) {
            self.route = route
            method = route.method
            segments = route.path.dropFirst(AdminAPI.prefix.count).split(separator: "/")
        }

        func values(in given: [String]) -> [String]? {
            guard given.count == segments.count else { return nil }
            var values: [String] = []
            for (segment, value) in zip(segments, given) {
                if segment.first == "{" {
                    values.append(value)
                } else if segment != value {
                    return nil
                }
            }
            return values
        }
    }
}
