import { randomInt } from "node:crypto";
import { type Clock, minutes, seconds } from "../../core/clock.ts";
import type { Person } from "../people.ts";
import { Kept } from "./kept.ts";

/** Logins of devices without a browser (RFC 8628): the device polls while a person logs in elsewhere. */

const lifetime = minutes(10);
const interval = 5;

interface Device {
  client: string;
  scope: string[];
  userCode: string;
  person?: Person;
  denied?: boolean;
  /** The shortest permitted time between two polls, in seconds. */
  interval: number;
  polled?: number;
}

type Poll =
  | {
      error:
        | "authorization_pending"
        | "slow_down"
        | "access_denied"
        | "expired_token"
        | "invalid_grant";
    }
  | { client: string; scope: string[]; person: Person };

/** Consonants that are hard to mistake and form no words. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

export class Devices {
  readonly #clock: Clock;
  readonly #byCode: Kept<Device>;
  readonly #byUserCode: Kept<Device>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#byCode = new Kept(clock, lifetime);
    this.#byUserCode = new Kept(clock, lifetime, newUserCode);
  }

  begin(client: string, scope: string[]) {
    const device: Device = { client, scope, userCode: "", interval };
    device.userCode = this.#byUserCode.put(device);
    return {
      device_code: this.#byCode.put(device),
      user_code: device.userCode,
      expires_in: lifetime / 1000,
      interval,
    };
  }

  /** The device of a user code, as a person types it. */
  find(userCode: string): Device | undefined {
    const bare = userCode.toUpperCase().replaceAll(/[^A-Z]/g, "");
    return this.#byUserCode.get(`${bare.slice(0, 4)}-${bare.slice(4)}`);
  }

  /** Records a person's decision, once for each device. */
  decide(userCode: string, person: Person | undefined): void {
    const device = this.#byUserCode.take(userCode);
    if (!device) return;
    if (person) device.person = person;
    else device.denied = true;
  }

  poll(deviceCode: string, client: string): Poll {
    const device = this.#byCode.get(deviceCode);
    if (!device) return { error: "expired_token" };
    if (device.client !== client) return { error: "invalid_grant" };
    const now = this.#clock.now();
    const isEarly = device.polled !== undefined && now < device.polled + seconds(device.interval);
    device.polled = now;
    if (isEarly) {
      device.interval += interval;
      return { error: "slow_down" };
    }
    if (!device.person && !device.denied) return { error: "authorization_pending" };
    this.#byCode.take(deviceCode);
    if (!device.person) return { error: "access_denied" };
    return { client, scope: device.scope, person: device.person };
  }
}

function newUserCode(): string {
  const four = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${four()}-${four()}`;
}
