sap.ui.define(["sap/ui/core/mvc/Controller"], function (Controller) {
  "use strict";
  return Controller.extend("sample.shop.controller.Main", {
    onInit: function () {
      var query = new URLSearchParams(window.location.search);
      var hint = query.get("hint");
      this.showHint(hint);
      if (query.get("next")) {
        window.location.href = query.get("next");
      }
    },

    showHint: function (text) {
      this.byId("hint").setContent("<p>" + text + "</p>");
    },

    onSearch: function (event) {
      localStorage.setItem("session-token", event.getParameter("query"));
    }
  });
});
