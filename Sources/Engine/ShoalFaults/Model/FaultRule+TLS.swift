/// What makes rules about TLS impossible.
extension FaultRule {
    func flaw(ofTLS action: TLSAction) -> String? {
        let (name, point) = (action.name.rawValue, site.point)
        switch action {
        case .truncate:
            guard point == .accept || point == .tlsHello else { return nil }
            return
                "'\(name)' ends a stream of TLS, and at '\(point.rawValue)' there is none yet; 'close' ends the connection"
        case .hang, .close, .alert, .certificate:
            guard point != .tlsHello else { return nil }
            return "'\(name)' answers a ClientHello, which is at 'tls.hello', not at '\(point.rawValue)'"
        }
    }

    /// Why the rule cannot strike where connections are secured like that; nil if it can.
    func flaw(under security: TransportSecurity) -> Flaw? {
        if security == .none {
            let remedy = "this server speaks plain HTTP: start it with `serve --tls`"
            if site.point == .tlsHello || site.point == .tlsDone {
                return Flaw(.at, "'\(site.point.rawValue)' is never reached, because \(remedy)")
            }
            if let action = tlsActions.first {
                return Flaw(.actions, "'\(action.name.rawValue)' has no TLS to act on, because \(remedy)")
            }
            if let field = match.wantsTLS {
                return Flaw(.match(field), "'\(field.rawValue)' fits no connection, because \(remedy)")
            }
        }
        for case .certificate(let fault) in tlsActions where security == .givenCertificate && fault.needsTrust {
            return Flaw(
                .actions,
                "'tls.cert(\(fault.rawValue))' needs an authority that clients trust, and this server was given its "
                    + "certificate; start it with `serve --tls`, or use selfSigned or untrusted")
        }
        return nil
    }

    private var tlsActions: [TLSAction] {
        branches.joined().compactMap { if case .tls(let action) = $0 { action } else { nil } }
    }
}

extension Matcher {
    /// The field that only a connection of TLS fits. What stands in `any` and `not` may hold for others as well.
    fileprivate var wantsTLS: Field? {
        if isSecure == true { return .tls }
        if let serverName, serverName != .absent { return .sni }
        if let protocols, protocols != .absent { return .alpn }
        return nil
    }
}
