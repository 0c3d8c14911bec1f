/** Takes out of a text of a server what the server was sent as a secret: errors are printed and logged. */
export type HideSecret = (text: string) => string;

export const createHideSecret =
	(secret: unknown): HideSecret =>
	(text) =>
		typeof secret === "string" && secret !== "" ? text.split(secret).join("[redacted]") : text;
