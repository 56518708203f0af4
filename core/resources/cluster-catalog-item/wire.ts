import type { WireForm } from "../../kernel/object/wire-form.ts";
import { catalogItemWire } from "./offer/item-wire.ts";

export const wire: WireForm<"cluster_catalog_item"> = catalogItemWire;
