/// The content of `abbreviations.txt`, which is embedded at build time.
let germanAbbreviations = String(decoding: PackageResources.abbreviations_txt, as: UTF8.self)
