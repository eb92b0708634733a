/** USD of a search, of reading a page, and of extracting the text of a document (spec E2, E4, E9). */
export const augmentationUsd = 0.01;
