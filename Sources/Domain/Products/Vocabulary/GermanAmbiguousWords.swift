/// Product words with several meanings, and the words that decide between them: `word = category: words`, folded. The
/// list can be extended.
///
/// The deciding words are other words of the name, or the beginning of a compound. Without one, the word has its category
/// in the list of product words, but only if no other word of the name has a category.
let germanAmbiguousWords = """
    creme = drugstore: hand haende gesicht tages nacht haut koerper body fuss fuesse auge lippe wund zink falten haar
    creme = drugstore: rasier pflege schutz sonne feuchtigkeit hydro urea ringelblume aloe vera kamille lavendel
    creme = baby: baby wundschutz
    creme = household: schuh leder moebel
    creme = dairy: vanille karamell caramel dessert tiramisu griess double legere brulee
    creme = pantry: nuss haselnuss walnuss erdnuss mandel pistazie kokos kastanie maroni sesam dattel trueffel balsamico
    creme = pantry: aufstrich brotaufstrich
    creme = sweets: schoko choco schokoladen marzipan
    """
