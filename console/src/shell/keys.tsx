import { Fragment, type RefObject, useEffect } from "react";
import { useNavigate } from "react-router";
import { Palette } from "./palette.tsx";
import type { Place } from "./places.ts";

/** The keys of every page, besides those of places. */
const keys = [
  { keys: ["Ctrl", "K"], name: "Go to any page, order or object" },
  { keys: ["/"], name: "Write into the page's filter" },
  { keys: ["j"], name: "The next row" },
  { keys: ["k"], name: "The row before" },
  { keys: ["Enter"], name: "Open the row" },
  { keys: ["?"], name: "These keys" },
];

interface KeysProps {
  places: readonly Place[];
  /** The dialog that lists the keys. */
  help: RefObject<HTMLDialogElement | null>;
  isSearching: boolean;
  setSearching(isSearching: boolean): void;
}

/**
 * The keyboard shortcuts: `g` and a letter opens a place, other keys move to objects and through tables; `?` lists
 * them.
 */
export function Keys({ places, help, isSearching, setSearching }: KeysProps) {
  const navigate = useNavigate();
  useEffect(() => {
    let isGoing = false;
    const press = (event: KeyboardEvent) => {
      if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setSearching(true);
        return;
      }
      if (isWriting(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = isGoing ? places.find(({ key }) => key === event.key) : undefined;
      isGoing = event.key === "g";
      if (place) void navigate(place.to);
      else if (event.key === "?") help.current?.showModal();
      else if (event.key === "j") toRow(1);
      else if (event.key === "k") toRow(-1);
      else if (event.key === "/") {
        event.preventDefault();
        document.querySelector<HTMLElement>("main input[type=search], main select")?.focus();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [places, navigate, help, setSearching]);
  return (
    <>
      {isSearching && <Palette places={places} close={() => setSearching(false)} />}
      <dialog ref={help} aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <dl className="pairs">
          {[...keys, ...places.map(({ key, name }) => ({ keys: ["g", key], name }))].map(
            ({ keys: each, name }) => (
              <div key={name}>
                <dt>
                  {each.map((key) => (
                    <Fragment key={key}>
                      <kbd>{key}</kbd>{" "}
                    </Fragment>
                  ))}
                </dt>
                <dd>{name}</dd>
              </div>
            ),
          )}
        </dl>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </>
  );
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input, textarea, select, [contenteditable]") ||
    target.closest("dialog") !== null);

/** The links that the keys j and k walk: of the rows of tables, and of racks. */
const rows = "main tbody td:first-child a, main [data-rows] a";

/** Moves the focus to the link in the next or previous row; Enter follows it. */
function toRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>(rows)];
  const now = links.findIndex((link) => link.matches(":focus"));
  const next = now === -1 ? (step === 1 ? 0 : links.length - 1) : now + step;
  links[next]?.focus();
}
