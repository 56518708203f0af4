/** A head and the path of a member; of those after `wide`, only `-o wide` has them. */
export type Row = readonly [head: string, path: string, wide?: "wide"];
