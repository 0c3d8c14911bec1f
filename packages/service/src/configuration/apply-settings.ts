import { isJsonObject } from "@stemma/core/internal";
import type { Setting } from "./environment-settings";

/** A file's content with settings over it; later ones win. Nothing is changed in place. */
export const applySettings = (content: unknown, settings: readonly Setting[]): unknown =>
	settings.reduce((changed: unknown, { path, value }) => setPath(changed, path, value), content);

function setPath(content: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
	if (key === undefined) return value;
	// What is no object is left for the schema to refuse.
	if (content !== undefined && !isJsonObject(content)) return content;
	return { ...content, [key]: setPath(content?.[key], rest, value) };
}
