import Foundation

parseRecognized(Array(CommandLine.arguments.dropFirst()))
