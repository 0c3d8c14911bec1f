import { reactRouter } from "@react-router/dev/vite";

export default { logLevel: "warn", plugins: [reactRouter()] };
