/** `STEMMA_TOOL_<NAME>`: upper case, other characters than letters and digits as `_`. */
export const toSecretVariable = (name: string): string =>
	`STEMMA_TOOL_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
