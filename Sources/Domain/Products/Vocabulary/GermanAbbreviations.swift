/// The list of `abbreviations.txt`, embedded at build time.
let germanAbbreviations = String(decoding: PackageResources.abbreviations_txt, as: UTF8.self)
