// Style sheets are gathered by the build into the bundle's own .css file.
declare module "*.css";
