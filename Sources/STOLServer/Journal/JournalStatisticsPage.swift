import STOLAnswers
import STOLJournal
import STOLSystem

extension Pages {
  /// What was seen in numbers: by year, by month, by occasion, and how the number of species grew.
  func journalStatistics(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let question = try await question(visit, JournalFilter(visit.query), journal)
    let query = question.query
    let numbers = try await journal.read { file, pack in try file.statistics(of: query, in: pack) }
    if visit.address.form == .json { return .json { numbers.write(to: &$0) } }
    let place = try await placeName(question.filter.place, journal)
    return journalPage(visit, .statistics, "Statistics") {
      filterForm(visit, .statistics, question)
      chosen(question, .statistics, place)
      tag("p", .class("lead")) {
        "\(Words.count(numbers.speciesCount, "species", "species").capitalisedFirst) in "
        "\(Words.count(numbers.sightingCount, "sighting", "sightings"))."
      }
      if numbers.otherSightingCount > 0 {
        tag("p", .class("note")) {
          "Of \(Words.count(numbers.otherSightingCount, "sighting", "sightings")) the species is not known: they count as sightings alone."
        }
      }
      if numbers.sightingCount == 0 {
        tag("p") { "There is nothing to count yet." }
      } else {
        years(numbers, question.filter)
        growth(numbers)
        months(numbers, question.filter)
        occasions(numbers, question.filter)
      }
    }
  }

  private func years(_ numbers: JournalStatistics, _ filter: JournalFilter) -> Html {
    section("Species in each year", id: "years") {
      BarChart(
        "Species in each year",
        Self.bars(of: numbers.years)
      ).figure("The stronger part of a bar is what was new in that year.")
      numberTable(["Year", "Species", "Of those new", "Sightings"], numbers.years) { year in
        (
          "\(year.year)", [year.speciesCount, year.newSpeciesCount, year.sightingCount],
          filter.with { $0.year = year.year }
        )
      }
    }
  }

  /// The years from the first to the last, also those in between in which there was nothing, where they are not too many.
  private static func bars(of years: [JournalStatistics.Year]) -> [BarChart.Bar] {
    let known = Dictionary(uniqueKeysWithValues: years.map { ($0.year, $0) })
    var shown = years.map(\.year)
    if let first = shown.first, let last = shown.last, last - first < 60 {
      shown = Array(first...last)
    }
    return shown.map { year in
      BarChart.Bar(
        name: "\(year)", value: known[year]?.speciesCount ?? 0,
        part: known[year]?.newSpeciesCount ?? 0)
    }
  }

  private func growth(_ numbers: JournalStatistics) -> Html {
    var ends: [(year: Int, count: Int)] = []
    for step in numbers.steps {
      let year = CivilDate(days: step.day).year
      if ends.last?.year == year { ends.removeLast() }
      ends.append((year, step.speciesCount))
    }
    return section("How the number of species grew", id: "growth") {
      StepChart("How the number of species grew", numbers.steps).figure(
        "Each step is a day with a species that was new.")
      numberTable(["By the end of", "Species"], ends) { end in
        ("\(end.year)", [end.count], nil)
      }
    }
  }

  private func months(_ numbers: JournalStatistics, _ filter: JournalFilter) -> Html {
    section("Through the year", id: "months") {
      BarChart(
        "Sightings in each month, of all years",
        numbers.months.map { month in
          BarChart.Bar(
            name: String(JournalWords.month(month.month).prefix(3)), value: month.sightingCount)
        }
      ).figure("Sightings in each month, all years together.")
      numberTable(["Month", "Sightings", "Species"], numbers.months) { month in
        (
          JournalWords.month(month.month), [month.sightingCount, month.speciesCount],
          month.sightingCount > 0 ? filter.with { $0.month = month.month } : nil
        )
      }
    }
  }

  private func occasions(_ numbers: JournalStatistics, _ filter: JournalFilter) -> Html {
    section("On what occasion", id: "occasions") {
      numberTable(["Noted on", "How often", "Species", "Sightings"], numbers.occasions) {
        occasion in
        (
          JournalWords.kind(occasion.kind),
          [occasion.eventCount, occasion.speciesCount, occasion.sightingCount],
          occasion.sightingCount > 0 ? filter.with { $0.kind = occasion.kind } : nil
        )
      }
      if numbers.diveSeconds > 0 {
        tag("p") {
          "\(JournalWords.hours(numbers.diveSeconds)) hours under water"
          numbers.maxDepthMm.map { ", \(JournalWords.metres($0)) metres at the deepest." } ?? "."
        }
      }
    }
  }

  /// Numbers as a table; the first of each row leads to the list of what it counts.
  private func numberTable<Row>(
    _ titles: [String], _ rows: [Row], _ cells: (Row) -> (String, [Int], JournalFilter?)
  ) -> Html {
    tag("table", .class("traits numbers")) {
      tag("thead") {
        tag("tr") { for title in titles { tag("th", Attribute("scope", "col")) { title } } }
      }
      tag("tbody") {
        for row in rows {
          let (name, numbers, filter) = cells(row)
          tag("tr") {
            tag("th", Attribute("scope", "row")) {
              if let filter { tag("a", .href(filter.address(.list))) { name } } else { name }
            }
            for number in numbers { tag("td") { Words.grouped(number) } }
          }
        }
      }
    }
  }
}

extension JournalStatistics {
  /// Writes its members.
  func write(to json: inout RowWriter) {
    json.number("speciesCount", speciesCount)
    json.number("sightingCount", sightingCount)
    json.number("otherSightingCount", otherSightingCount)
    json.objects("years", years) { json, year in
      json.number("year", year.year)
      json.number("speciesCount", year.speciesCount)
      json.number("newSpeciesCount", year.newSpeciesCount)
      json.number("sightingCount", year.sightingCount)
    }
    json.objects("months", months) { json, month in
      json.number("month", month.month)
      json.number("speciesCount", month.speciesCount)
      json.number("sightingCount", month.sightingCount)
    }
    json.objects("growth", steps) { json, step in
      json.text("day", JournalWords.day(step.day))
      json.number("speciesCount", step.speciesCount)
    }
    json.objects("occasions", occasions) { json, occasion in
      json.text("kind", occasion.kind.rawValue)
      json.number("eventCount", occasion.eventCount)
      json.number("speciesCount", occasion.speciesCount)
      json.number("sightingCount", occasion.sightingCount)
    }
    json.number("diveSeconds", diveSeconds)
    json.number("maxDepthMm", maxDepthMm)
  }
}
