import { type Amounts, hostsOf } from "../quota/model.ts";

/** What an instance counts for in quotas: one host of its type. */
export const amountsOf = (hostType: string): Amounts => ({ [hostsOf(hostType)]: 1 });
