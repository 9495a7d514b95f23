package example.athos.wallet;

import com.getcapacitor.BridgeActivity;

public class MainActivity extends BridgeActivity {}
