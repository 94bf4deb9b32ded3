/// The list in `abbreviations.txt`, which is part of the program: nothing to find at run time.
let germanAbbreviations = String(decoding: PackageResources.abbreviations_txt, as: UTF8.self)
