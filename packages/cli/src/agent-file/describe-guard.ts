import type { Guard } from "@stemma/core";

/** `/mood = "bad"`. */
export function describeGuard(guard: Guard): string {
	const path = guard.path === "" ? "output" : guard.path;
	if (guard.equals !== undefined) return `${path} = ${JSON.stringify(guard.equals)}`;
	if (guard.in !== undefined) return `${path} in ${JSON.stringify(guard.in)}`;
	return `${path} exists`;
}
