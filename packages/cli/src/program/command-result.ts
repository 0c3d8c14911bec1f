/** Result of a command: its exit code, and the agent file that an error may concern. */
export interface CommandResult {
	exitCode: number;
	file: string | undefined;
}
