import Foundation
import TestSupport
import Testing

@Suite("Serving")
struct ServeTests {
  /// Starts a server, whose port is then `$port`, and ends it as Ctrl-C does.
  private func whileServing(_ script: String) throws -> Command.Outcome {
    let folder = try TemporaryFolder()
    return try Command().shell(
      """
      '\(Command.path)' serve > '\(folder.path)/address' &
      server=$!
      for _ in {1..200}; do [ -s '\(folder.path)/address' ] && break; sleep 0.05; done
      address=$(cat '\(folder.path)/address')
      port=${address##*:}; port=${port%/}
      ask() {
        exec 3<>/dev/tcp/127.0.0.1/$port
        printf "GET $1 HTTP/1.1\\r\\nHost: ${2:-127.0.0.1:$port}\\r\\nConnection: close\\r\\n\\r\\n" >&3
        cat <&3
        exec 3<&-
      }
      \(script)
      kill -INT $server
      wait $server
      echo "ended $?"
      """)
  }

  @Test func answersAtTheAddressThatItPrintsUntilItIsInterrupted() throws {
    let outcome = try whileServing("echo $address; ask '/search.json?q=pantera+leo'; echo")
    expect(outcome, status: 0)
    let address = try #require(outcome.lines.first)
    #expect(address.hasPrefix("http://127.0.0.1:") && address.hasSuffix("/"))
    #expect(outcome.text.contains("HTTP/1.1 200 OK"))
    #expect(outcome.text.contains("\"scientificName\":\"Panthera leo\""))
    #expect(outcome.lines.last == "ended 0")
  }

  @Test func refusesOtherHosts() throws {
    let outcome = try whileServing("ask / evil.example; echo")
    #expect(outcome.text.contains("HTTP/1.1 421 "))
    #expect(!outcome.text.contains("<html"))
  }

  @Test func saysThatAPortIsTaken() throws {
    let outcome = try whileServing("stol serve --port $port; echo \"status $?\"")
    #expect(outcome.lines.contains("status 2"))
    #expect(outcome.errorText.contains(" is taken; choose another"))
    expectError(try Command()("serve", "--port", "65536"), status: 2)
  }

  @Test func saysThatAPackCannotBeOpened() throws {
    expectError(try Command()("serve", "--pack", "/nonexistent"), status: 6)
  }
}
