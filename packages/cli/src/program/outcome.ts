/** What a command leaves behind: its exit code, and the agent file that an error may be about. */
export interface Outcome {
	exitCode: number;
	file: string | undefined;
}
