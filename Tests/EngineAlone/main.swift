import STOLPack

// EngineAnswers PACK: answers questions, one a line, from standard input; or says why the pack is none.
do {
  let pack = try Pack(path: CommandLine.arguments[1])
  var session = SearchSession()
  while let question = readLine() { print(pack.view.answer(question, &session)) }
} catch {
  print(error)
}
