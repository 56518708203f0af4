/** Where bundles are, from the repository's root. */
export const buildFolder = ".build";
