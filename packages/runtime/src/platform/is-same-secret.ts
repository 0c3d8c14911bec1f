/** Compares what was given with a secret, in a time that tells nothing of the secret's characters. */
export function isSameSecret(given: string, secret: string): boolean {
	let difference = given.length ^ secret.length;
	// Beyond its end a text has no codes, and those count as 0.
	for (let index = 0; index < secret.length; index++)
		difference |= given.charCodeAt(index) ^ secret.charCodeAt(index);
	return difference === 0;
}
