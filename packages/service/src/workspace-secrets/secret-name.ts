/** What the secrets of a workspace may be called. */
export const isSecretName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);

export const SECRET_NAME_HINT =
	"Use lower-case letters, digits, _ and -, up to 64, with a letter or a digit first.";
