import { AppError } from "../../error.ts";

/** Unavailable, said of a hub that is known not to answer: nobody asked it. Who sweeps it finds it back. */
export class Away extends AppError {
  constructor(hub: string) {
    super("Unavailable", "the hub does not answer", {
      detail: "not asked: it did not answer when it was last looked at",
    });
    this.from = { system: "hub", instance: hub };
  }
}
