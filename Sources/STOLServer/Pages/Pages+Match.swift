import Foundation
import STOLAnswers
import STOLData
import STOLFormats
import STOLMatch
import STOLPack

extension Pages {
  // MARK: - For programs

  /// What one name stands for, or some with the same hints.
  func matchNames(_ visit: Visit) async throws -> Reply {
    await answered(visit) { () throws(MatchSettings.Failure) in
      let queries = try MatchSettings.queries(visit.query)
      guard !queries.isEmpty else {
        throw MatchSettings.Failure(
          text: "give a field \"name\", or send a list of names by POST")
      }
      return .names(queries)
    }
  }

  /// What the names of a list or a table stand for.
  func matchNames(_ visit: Visit, _ form: Fields) async throws -> Reply {
    await answered(visit) { () throws(MatchSettings.Failure) in
      guard let file = visit.file else {
        let queries = try MatchSettings.queries(form)
        guard !queries.isEmpty else {
          throw MatchSettings.Failure(text: "give a field \"name\", or a file")
        }
        return .names(queries)
      }
      return file.contentType == "application/json"
        ? .names(try MatchSettings.queries(json: file.bytes)) : .table(file)
    }
  }

  /// What a program asks.
  private enum Asked {
    case names([MatchQuery])
    case table(SentFile)
  }

  /// The answer to a program, as JSON, or as the table that the command writes.
  private func answered(
    _ visit: Visit, _ read: () throws(MatchSettings.Failure) -> Asked
  ) async -> Reply {
    let pack = snapshot.pack
    do {
      var fields = visit.query
      for (name, value) in visit.form?.pairs ?? [] { fields.append(name, value) }
      try MatchSettings.check(fields)
      let settings = try MatchSettings(fields)
      switch try read() {
      case .names(let queries):
        guard !settings.isTable else {
          throw MatchSettings.Failure(text: "format=table is for a table: send one")
        }
        let rows = try await services.matching.run {
          TableMatch.matchedRows(queries, settings.options, in: pack)
        }
        return try json(rows, fields, settings.service)
      case .table(let file):
        // Of a file in a form its type says little: browsers call any text plain.
        let isList = file.contentType == "text/plain" && file.name.isEmpty
        if settings.isTable || settings.service != nil {
          let columns = try settings.columns(pack)
          let written = try await services.matching.run {
            try Self.written(file, isList: isList, settings, columns, MatchDecisions(), pack)
          }
          return Reply(
            contentType: written.mediaType + "; charset=utf-8", bytes: written.bytes)
        }
        let rows = try await services.matching.run {
          var table = try settings.open(file, isList: isList)
          let rows = try MatchSettings.rows(&table)
          return table.match(adding: [], settings.options).matchedRows(rows, in: pack)
        }
        return try json(rows, fields, nil)
      }
    } catch let failure as MatchSettings.Failure {
      return problem(visit, failure.status, failure.title, failure.text)
    } catch {
      return problem(visit, 500, Words[.somethingWrong], "\(error)")
    }
  }

  private func json(
    _ rows: [MatchedRow], _ fields: Fields, _ service: MatchService?
  ) throws(MatchSettings.Failure) -> Reply {
    let view = snapshot.pack.view
    if let service {
      return .json { json in
        json.objects("results", rows) { json, row in
          for (name, column) in service.columns {
            var cell: [UInt8] = []
            column.append(row.match, row.query, view, to: &cell)
            json.text(name, cell.isEmpty ? nil : String(decoding: cell, as: UTF8.self))
          }
        }
      }
    }
    let ranks: [RankColumn]
    do { ranks = try RankColumn.columns(fields["ranks"] ?? "main", view.taxa.ranks) } catch {
      throw MatchSettings.Failure(text: error.description)
    }
    return .json { json in
      json.objects("results", rows) { json, row in
        Schema.write(row, ranks: ranks, view, to: &json)
        json.text("address", row.match.taxon.map { view.address(of: $0).text })
      }
      json.object("counts") { json in
        for (status, count) in MatchPage.counts(rows) { json.number(status.rawValue, count) }
      }
    }
  }

  /// A table as `stol match` writes it.
  private static func written(
    _ file: SentFile, isList: Bool = false, _ settings: MatchSettings,
    _ columns: [(name: String, column: MatchColumn)], _ decisions: MatchDecisions, _ pack: Pack
  ) throws -> (bytes: [UInt8], mediaType: String) {
    var table = try settings.open(file, isList: isList)
    let rows = try MatchSettings.rows(&table)
    let work = table.match(
      adding: columns.map(\.column), settings.options, decisions: decisions)
    var bytes = table.mark
    if let header = table.header { bytes += work.header(header, columns.map(\.name)) }
    for part in work.match(RowBlock(rows), table.cursor, in: pack) { bytes += part.bytes }
    let isTabbed = table.delimiter == nil || table.delimiter == UInt8(ascii: "\t")
    return (bytes, isTabbed ? "text/tab-separated-values" : "text/csv")
  }

  // MARK: - The page

  /// The page with its form; with a field "text" also what its names stand for.
  func match(_ visit: Visit) async throws -> Reply {
    guard let text = visit.query.verbatim("text"), !text.allSatisfy(\.isWhitespace) else {
      return MatchPage(layout: layout(visit), pack: snapshot.pack).reply
    }
    return await matchPage(visit, visit.query, Self.pasted(text))
  }

  /// The same for what a form brings: a text, a file, or a table that was sent before, with decisions.
  ///
  /// Nothing of it is kept: the page that answers holds it.
  func match(_ visit: Visit, _ form: Fields) async throws -> Reply {
    if let file = visit.file, !file.bytes.isEmpty { return await matchPage(visit, form, file) }
    if let state = form["table"] {
      guard let bytes = Data(base64Encoded: state) else {
        return problem(visit, 400, Words[.unreadableForm], Words[.isDamaged])
      }
      return await matchPage(
        visit, form, SentFile(name: form["fileName"] ?? "", bytes: Array(bytes)))
    }
    let text = form.verbatim("text") ?? ""
    guard !text.allSatisfy(\.isWhitespace) else {
      return MatchPage(
        layout: layout(visit), pack: snapshot.pack,
        failure: MatchSettings.Failure(
          title: Words[.nothingToMatch], text: Words[.pasteNames])
      ).reply
    }
    return await matchPage(visit, form, Self.pasted(text))
  }

  /// What was pasted, with the line ends that it most likely had: browsers send others.
  private static func pasted(_ text: String) -> SentFile {
    SentFile(bytes: Array(text.replacing("\r\n", with: "\n").utf8))
  }

  private func matchPage(_ visit: Visit, _ form: Fields, _ file: SentFile) async -> Reply {
    let pack = snapshot.pack
    var page = MatchPage(layout: layout(visit), pack: pack, file: file)
    do {
      let settings = try MatchSettings(form, add: MatchPage.usualColumns)
      page.settings = settings
      let columns = try settings.columns(pack)
      let result = try await services.matching.run {
        var table = try settings.open(file)
        let rows = try MatchSettings.rows(&table)
        let undecided = table.match(adding: [], settings.options)
        let choices = MatchPage.Choices(form, rows.map { undecided.key(of: $0) })
        let matched = table.match(adding: [], settings.options, decisions: choices.decisions)
          .matchedRows(rows, in: pack)
        return (rows: matched, choices: choices)
      }
      switch form["action"] {
      case nil, "match", "decide":
        page.result = MatchPage.Result(rows: result.rows, choices: result.choices.byName)
        return page.reply
      case "download":
        let written = try await services.matching.run {
          try Self.written(file, settings, columns, result.choices.decisions, pack)
        }
        return .download(
          written.bytes, written.mediaType,
          as: written.mediaType == "text/csv" ? "matched.csv" : "matched.tsv")
      case "review":
        return .download(
          MatchPage.review(result.rows, result.choices.byName, pack), "text/csv", as: "review.csv")
      default:
        return problem(
          visit, 400, Words[.unknownAction],
          Words[.oneOf, ["choices": "match, decide, download, review"]])
      }
    } catch let failure as MatchSettings.Failure {
      page.failure = failure
      return page.reply
    } catch {
      return problem(visit, 500, Words[.somethingWrong], "\(error)")
    }
  }
}
