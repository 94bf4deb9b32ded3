import Foundation

readWineLists(Array(CommandLine.arguments.dropFirst()))
