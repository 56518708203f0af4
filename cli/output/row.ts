/** The label of a column and the path of a member; rows marked `wide` appear only with `-o wide`. */
export type Row = readonly [head: string, path: string, wide?: "wide"];
