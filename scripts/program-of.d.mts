export function programOf(
	platform: string,
	path: string,
	args: readonly string[],
): { command: string; args: string[]; shell: boolean };
