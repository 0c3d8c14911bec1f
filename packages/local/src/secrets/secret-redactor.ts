/** Takes out of a text of a server what the server was sent as a secret: errors are printed and logged. */
export type RedactText = (text: string) => string;

export const createSecretRedactor =
	(secret: unknown): RedactText =>
	(text) =>
		typeof secret === "string" && secret !== "" ? text.split(secret).join("[redacted]") : text;
