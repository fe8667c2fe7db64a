import STOLIngest
import Testing

struct FindingsTests {
  @Test func countsAllAndKeepsTheFirstExamples() {
    let findings = Findings()
    for line in 1...12 { findings.add(.emptyName, "a.txt, line \(line)") }
    findings.add(.emptyName, count: 3)
    #expect(findings.counts[.emptyName]?.count == 15)
    #expect(findings.counts[.emptyName]?.examples.first == "a.txt, line 1")
    #expect(findings.counts[.emptyName]?.examples.count == Findings.exampleLimit)
  }
}
