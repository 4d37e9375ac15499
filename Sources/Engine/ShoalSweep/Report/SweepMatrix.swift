import ShoalFaults

/// A report as tables, one for each operation: points down, actions and attempts across.
package struct SweepMatrix: Sendable {
    package struct Column: Hashable, Sendable {
        package let action: String
        package let variant: SweepVariant
    }

    package struct Row: Sendable {
        package let site: String
        /// For each column the runs that stand there; usually one, or none where a pair cannot be.
        package fileprivate(set) var cells: [[SweepReport.Run]]
    }

    package struct Table: Sendable {
        package let operation: String
        package let columns: [Column]
        package let rows: [Row]

        /// Columns of one action stand together.
        package var actions: [(name: String, columns: [Column])] {
            var actions: [(name: String, columns: [Column])] = []
            for column in columns {
                if actions.last?.name == column.action {
                    actions[actions.count - 1].columns.append(column)
                } else {
                    actions.append((column.action, [column]))
                }
            }
            return actions
        }
    }

    package let tables: [Table]

    package init(_ report: SweepReport) {
        let operations = Self.unique(report.runs.map(\.cell.operation))
        tables = operations.map { operation in
            Self.table(operation, report.runs.filter { $0.cell.operation == operation })
        }
    }

    private static func table(_ operation: String, _ runs: [SweepReport.Run]) -> Table {
        let actions = unique(runs.map(\.cell.action))
        let columns = actions.flatMap { action in
            unique(runs.filter { $0.cell.action == action }.map(\.cell.variant)).sorted().map {
                Column(action: action, variant: $0)
            }
        }
        let points = Dictionary(runs.map { ($0.cell.site, $0.cell.rule.site.point) }) { first, _ in first }
        let sites = unique(runs.map(\.cell.site)).enumerated().sorted { left, right in
            let (one, other) = (points[left.element] ?? .accept, points[right.element] ?? .accept)
            return (one, left.offset) < (other, right.offset)
        }
        var rows = sites.map { Row(site: $0.element, cells: Array(repeating: [], count: columns.count)) }
        for run in runs {
            let column = Column(action: run.cell.action, variant: run.cell.variant)
            guard let row = rows.firstIndex(where: { $0.site == run.cell.site }),
                let place = columns.firstIndex(of: column)
            else { continue }
            rows[row].cells[place].append(run)
        }
        return Table(operation: operation, columns: columns, rows: rows)
    }

    /// The first of equals each, in order.
    private static func unique<Element: Hashable>(_ elements: [Element]) -> [Element] {
        var seen: Set<Element> = []
        return elements.filter { seen.insert($0).inserted }
    }
}
