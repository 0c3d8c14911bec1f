/** Reason why a project cannot be made, and what to do. */
export class ProjectError extends Error {
	override readonly name = "ProjectError";
	readonly code: "folder_not_empty" | "folder_not_writable" | "invalid_name";
	readonly hint: string;

	constructor(code: ProjectError["code"], message: string, hint: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
		this.hint = hint;
	}
}
