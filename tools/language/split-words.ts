/** Words of a name in lower case: `toHTTPPath`, `to-http-path` and `TO_HTTP_PATH` are `to`, `http`, `path`. */
export const splitWords = (name: string): string[] =>
	name
		.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");
