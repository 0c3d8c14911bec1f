import type { Guard } from "@stemma/core";

/** `/mood = "bad"`. */
export function describeGuard(guard: Guard): string {
	const place = guard.path === "" ? "output" : guard.path;
	if (guard.equals !== undefined) return `${place} = ${JSON.stringify(guard.equals)}`;
	if (guard.in !== undefined) return `${place} in ${JSON.stringify(guard.in)}`;
	return `${place} exists`;
}
