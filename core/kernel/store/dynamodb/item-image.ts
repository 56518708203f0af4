import { packed, unpacked } from "../packed/packed.ts";
import type { Item } from "../store.ts";
import { fromImage, type Image, toImage } from "./attribute-value.ts";

/** An item in the table's form. */
export const toItemImage = (item: Item) => toImage(packed(item));

/** The item in an image of the table or of its stream. Throws as `unpacked` does. */
export const fromItemImage = (image: Image): Item => unpacked(fromImage(image));
