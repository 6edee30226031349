sap.ui.define(["sap/ui/core/mvc/Controller"], (Controller) => Controller.extend("acme.orders.ui.controller.App", {}));
