import ShoalFaults
import ShoalNet

/// What rules have prepared for an answer that is still to come. Made only when one of them strikes.
final class PreparedAnswer {
    private var idleTime: Duration?
    private var announcesClose = false

    func add(_ action: FaultAction) {
        switch action {
        case .closeIdle(let wait, let announces): (idleTime, announcesClose) = (wait, announces)
        default: preconditionFailure("'\(action.name)' is played at its point")
        }
    }

    var endsConnection: Bool { announcesClose }

    /// What follows the last byte of the answer.
    var afterwards: Directive {
        switch idleTime {
        case nil: .proceed
        case .zero: .close
        case let wait?: announcesClose ? .wait(wait) { .close } : .park(wait)
        }
    }
}
