readPages(Array(CommandLine.arguments.dropFirst()))
