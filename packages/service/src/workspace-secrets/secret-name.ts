/** Checks whether a workspace's secret may have a name. */
export const isSecretName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(name);

export const SECRET_NAME_HINT =
	"Use lower-case letters, digits, _ and -, up to 64, with a letter or a digit first.";
