import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import type { Place } from "./shell.tsx";

/** Keys that lead to places: `g` and a letter; `?` tells of them. */
export function Keys({ places }: { places: readonly Place[] }) {
  const navigate = useNavigate();
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let isGoing = false;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      const isWriting =
        target instanceof HTMLElement &&
        target.matches("input, textarea, select, [contenteditable]");
      if (isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = isGoing ? places.find(({ key }) => key === event.key) : undefined;
      isGoing = event.key === "g";
      if (place) void navigate(place.to);
      else if (event.key === "?") help.current?.showModal();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [places, navigate]);
  return (
    <dialog ref={help} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl className="pairs">
        {places.map(({ key, name }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
