// Filled by the first files of this target.
