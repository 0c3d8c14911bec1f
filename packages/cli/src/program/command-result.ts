/** What a command leaves behind: its exit code, and the agent file that an error may be about. */
export interface CommandResult {
	exitCode: number;
	file: string | undefined;
}
