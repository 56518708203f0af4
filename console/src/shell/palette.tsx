import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { get, type Page } from "../api/client.ts";
import { isHeldKind, whosePage } from "../operator/holdings.ts";
import { orderedKinds } from "../orders/kinds.ts";
import type { Ordered } from "../orders/ordered.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import styles from "./palette.module.css";
import type { Place } from "./places.ts";

/** The palette (`mod+K`): opens any page, order or object by its name or id. */

interface Found {
  to: string;
  name: string;
  what: string;
}

/** The most results of each kind. */
const limit = 5;
/** The pause before a search, so that not every key sends one. */
const pause = 200;

export function Palette({ places, close }: { places: readonly Place[]; close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { found, isAsking } = useFound(text.trim(), places);
  const chosen = found[Math.min(at, found.length - 1)];
  useEffect(() => dialog.current?.showModal(), []);
  const go = (to: string) => {
    close();
    void navigate(to);
  };
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
  };
  return (
    <dialog ref={dialog} className={styles.palette} aria-label="Go to" onClose={close}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) go(chosen.to);
        }}
      >
        <input
          type="search"
          role="combobox"
          aria-label="A page, or the name or id of an object"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={chosen && `${list} ${chosen.to}`}
          placeholder="a page, a name, an id"
          autoComplete="off"
          value={text}
          onKeyDown={press}
          onChange={({ target }) => {
            setText(target.value);
            setAt(0);
          }}
        />
      </form>
      <div id={list} role="listbox" aria-label="Found" className={styles.found} tabIndex={-1}>
        {found.map((each) => (
          // The field's keys select an option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter, in the field
          <div
            key={each.to}
            id={`${list} ${each.to}`}
            role="option"
            tabIndex={-1}
            aria-selected={each === chosen}
            onClick={() => go(each.to)}
          >
            {each.name} <span className="quiet">{each.what}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="quiet" role="status">
          {isAsking ? `Searching “${text}” …` : `Nothing that begins with “${text}”.`}
        </p>
      )}
    </dialog>
  );
}

/** Pages by a part of their name, objects by the beginning of their name or by their id. */
function useFound(text: string, places: readonly Place[]): { found: Found[]; isAsking: boolean } {
  const { isStaff } = useSignedIn();
  const area = areaOf(useSignedIn());
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  const objects = useQuery({
    queryKey: ["go to", area, asked],
    enabled: asked.length > 1,
    queryFn: async ({ signal }) => {
      const kinds = orderedKinds.filter(({ isOfStaff }) => isStaff || !isOfStaff);
      const lists = await Promise.all(
        kinds.map(async ({ plural, one }) => {
          const ask = (filter: string) =>
            get<Page<Ordered>>(`${area}/${plural}`, { filter, limit }, signal);
          // With very many objects, the API finds one only by its whole name.
          const { items } = isId.test(asked)
            ? await ask(`this.id == ${JSON.stringify(asked)}`)
            : await ask(`this.metadata.name.startsWith(${JSON.stringify(asked)})`).catch(() =>
                ask(`this.metadata.name == ${JSON.stringify(asked)}`),
              );
          return items.map((object) => foundAs(plural, one, object, isStaff));
        }),
      );
      return lists.flat();
    },
  });
  const small = text.toLowerCase();
  const pages = places
    .filter(({ name }) => name.toLowerCase().includes(small))
    .map(({ to, name }) => ({ to, name, what: "page" }));
  const held = isStaff ? heldIn(text) : [];
  const isAsking = text.length > 1 && (asked !== text || objects.isFetching);
  return {
    found: [...held, ...pages, ...(asked.length > 1 ? (objects.data ?? []) : [])],
    isAsking,
  };
}

/** `vlan 107` looks up the holder. */
function heldIn(text: string): Found[] {
  const [kind = "", value, ...more] = text.split(/\s+/);
  if (!isHeldKind(kind) || value === undefined || more.length > 0) return [];
  return [{ to: whosePage(kind, value), name: `whose is ${kind} ${value}?`, what: "on Sites" }];
}

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+$/i;

const foundAs = (plural: string, one: string, { id, metadata }: Ordered, isStaff: boolean) => ({
  to: `/orders/${plural}/${id}`,
  name: metadata.name || (id ?? ""),
  what: isStaff ? `${one} of ${metadata.tenant}` : one,
});
