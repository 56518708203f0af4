import type { WireForm } from "../../kernel/object/wire-form.ts";
import { catalogItemWire } from "../cluster-catalog-item/offer/item-wire.ts";

export const wire: WireForm<"baremetal_instance_catalog_item"> = catalogItemWire;
