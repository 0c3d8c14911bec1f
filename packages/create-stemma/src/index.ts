export { type CreatedProject, type CreateProjectOptions, createProject } from "./create-project";
export { describeNextSteps } from "./describe-next-steps";
export { ProjectError } from "./project-error";
