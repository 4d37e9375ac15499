/// A date and time of day in UTC, in the proleptic Gregorian calendar without leap seconds.
struct CivilTime: Equatable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0

    /// A year of this calendar repeats after 400 years, which have this many days.
    private static let daysPerEra = 146_097
    /// Days from 0000-03-01, where an era begins, to 1970-01-01.
    private static let epochDay = 719_468

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Times before the year 0 or after 9999, which S3's formats cannot write, become the nearest that they can.
    init(_ timestamp: Timestamp) {
        let milliseconds = Int(min(max(timestamp.milliseconds, Self.writable.lowerBound), Self.writable.upperBound))
        let seconds = milliseconds.flooredQuotient(1_000)
        let days = seconds.flooredQuotient(86_400)
        self.init(epochDays: days)
        let secondOfDay = seconds - days * 86_400
        (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        millisecond = milliseconds - seconds * 1_000
    }

    /// Milliseconds since 1970 of what has a year of four digits, 0000 to 9999.
    static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Years are counted from March, so that the day that comes and goes is a year's last.
    private init(epochDays: Int) {
        let days = epochDays + Self.epochDay
        let era = days.flooredQuotient(Self.daysPerEra)
        let dayOfEra = days - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    var epochDays: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch.flooredQuotient(400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * Self.daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.epochDay
    }

    /// 0 is Sunday.
    var weekday: Int { (epochDays % 7 + 11) % 7 }

    /// Nil if a part is out of its range; a 60th second, which a leap second may have, is the next minute's first.
    func timestamp(minutesEastOfUTC: Int = 0) -> Timestamp? {
        guard (0...9_999).contains(year), (1...12).contains(month), (1...Self.dayCount(month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let seconds = epochDays * 86_400 + hour * 3_600 + (minute - minutesEastOfUTC) * 60 + second
        return Timestamp(milliseconds: Int64(seconds) * 1_000 + Int64(millisecond))
    }

    private static func dayCount(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int {
    /// The quotient rounded towards the past, not towards zero.
    fileprivate func flooredQuotient(_ divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}
