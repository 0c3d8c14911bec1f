import { useState } from "react";

/** Reads what this browser keeps under a name. `undefined` where there is nothing, or storage is forbidden. */
export function loadValue(name: string): unknown {
	try {
		return JSON.parse(globalThis.localStorage.getItem(name) ?? "null") ?? undefined;
	} catch {
		return undefined;
	}
}

export function storeValue(name: string, value: unknown): void {
	try {
		if (value === undefined) globalThis.localStorage.removeItem(name);
		else globalThis.localStorage.setItem(name, JSON.stringify(value));
	} catch {
		// Without storage, the value lasts as long as the page.
	}
}

/** State that a reload does not lose. @param parse - checks what was stored. */
export function useStoredValue<Value>(
	name: string,
	parse: (stored: unknown) => Value,
): readonly [Value, (value: Value) => void] {
	const [value, setValue] = useState(() => parse(loadValue(name)));
	const change = (next: Value): void => {
		setValue(next);
		storeValue(name, next);
	};
	return [value, change];
}
