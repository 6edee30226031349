using OrderService as my from './order-service';

annotate my with @(requires: ['OrderViewer', 'OrderManager']);
annotate my.Orders with @(restrict: [
  { grant: 'READ', to: 'OrderViewer', where: 'createdBy = $user' },
  { grant: '*', to: 'OrderManager' },
  { grant: 'ship', to: 'OrderManager' }
]);
annotate my.summary with @requires: 'OrderManager';
