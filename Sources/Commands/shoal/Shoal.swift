@main enum Shoal {
    static func main() {}
}
