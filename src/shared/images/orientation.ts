/** TIFF 6.0, tag 274. 1 is upright, 3 upside down, 6 and 8 a quarter turn; 2, 4, 5 and 7 are mirrored, too. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
